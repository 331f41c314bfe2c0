import { apiPage } from './api-page.ts'
import { asyncApiDocument } from './asyncapi.ts'
import { endpointsModule } from './endpoints-module.ts'
import { localCloudPage } from './local-cloud.ts'
import { openApiDocument } from './openapi.ts'
import { webhooksPage } from './providers.ts'
import { deployPage } from './rights.ts'
import type { Json } from './schemas.ts'
import { settingsPage } from './settings.ts'

const written = (document: Json) => `${JSON.stringify(document, null, 2)}\n`

/** What is generated, by file. */
export const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'lib/contract/gen/endpoints.ts': endpointsModule,
  'docs/openapi.json': () => written(openApiDocument()),
  'docs/asyncapi.json': () => written(asyncApiDocument()),
  'docs/api.md': apiPage,
  'docs/local-cloud.md': localCloudPage,
  'docs/settings.md': settingsPage,
  'docs/webhooks.md': webhooksPage,
  'docs/deploy.md': deployPage,
}
