import { z } from 'zod';

/** Response of `GET /api/v1/me/export`: all that is stored of a user, table by table, without tokens. */
export const PersonalDataExportSchema = z
  .object({
    exportedAt: z.iso.datetime(),
    userId: z.string(),
    data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  })
  .meta({ id: 'PersonalDataExport' });
export type PersonalDataExport = z.infer<typeof PersonalDataExportSchema>;

/** Longest email address (RFC 5321, section 4.5.3.1). */
const MAX_ADDRESS_LENGTH = 320;

/** Body of `DELETE /api/v1/me`: the account's own address, against accidents. */
export const EraseMeRequestSchema = z
  .strictObject({ confirm: z.string().min(1).max(MAX_ADDRESS_LENGTH) })
  .meta({ id: 'EraseMeRequest' });
export type EraseMeRequest = z.infer<typeof EraseMeRequestSchema>;
