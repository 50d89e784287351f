import { type ReactNode, useState } from 'react';
import { SenderSheetContext, type SheetSender } from '../email/sender/sender-button.tsx';
import { lazyPart } from '../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../lazy-parts/part-boundary.tsx';

const SenderSheet = lazyPart(async () => (await import('./sender-sheet.tsx')).SenderSheet);

export const SenderSheetProvider = ({ children }: { children: ReactNode }) => {
  const [sender, setSender] = useState<SheetSender | null>(null);
  return (
    <SenderSheetContext value={setSender}>
      {children}
      <PartBoundary>{sender && <SenderSheet sender={sender} onClose={() => setSender(null)} />}</PartBoundary>
    </SenderSheetContext>
  );
};
