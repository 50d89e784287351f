export { createMcpServer } from './server.ts';
export type { ToolScope } from './tool.ts';
