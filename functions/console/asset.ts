import { makeAssets } from '../../lib/app/built-files.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { assetReply } from '../../lib/http/served-file.ts'

const app = makeAssets()

export const handler = endpoint('consoleAsset', app, ({ event, parameters }) =>
  assetReply(app.assets.get(parameters['name'] ?? ''), event),
)
