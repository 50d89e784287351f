export { type CompareSchemas, createSchemaComparison, type Direction } from './compare-schemas.ts';
export type { Schema, Schemas } from './schema.ts';
