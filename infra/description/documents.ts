import { asyncApiDocument } from './asyncapi.ts'
import { openApiDocument } from './openapi.ts'
import type { Json } from './schemas.ts'

const written = (document: Json) => `${JSON.stringify(document, null, 2)}\n`

/** The descriptions that are generated, by their files. */
export const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'docs/openapi.json': () => written(openApiDocument()),
  'docs/asyncapi.json': () => written(asyncApiDocument()),
}
