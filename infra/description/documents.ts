import { apiPage } from './api-page.ts'
import { asyncApiDocument } from './asyncapi.ts'
import { endpointsModule } from './endpoints-module.ts'
import { localCloudPage } from './local-cloud.ts'
import { openApiDocument } from './openapi.ts'
import { webhooksPage } from './providers.ts'
import { deployPage } from './rights.ts'
import { asvsPage, threatsPage } from './risks.ts'
import type { Json } from './schemas.ts'
import { settingsPage } from './settings.ts'
import { signedModule } from './signed-module.ts'
import { publishedVectors } from './vectors.ts'

const written = (document: Json) => `${JSON.stringify(document, null, 2)}\n`

/** What is generated, by file. */
export const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'lib/contract/gen/endpoints.ts': endpointsModule,
  'web/gen/signed.ts': signedModule,
  'docs/openapi.json': () => written(openApiDocument()),
  'docs/asyncapi.json': () => written(asyncApiDocument()),
  'examples/vectors/vectors.json': () => written(publishedVectors()),
  'docs/api.md': apiPage,
  'docs/local-cloud.md': localCloudPage,
  'docs/settings.md': settingsPage,
  'docs/webhooks.md': webhooksPage,
  'docs/deploy.md': deployPage,
  'docs/threats.md': threatsPage,
  'docs/asvs.md': asvsPage,
}
