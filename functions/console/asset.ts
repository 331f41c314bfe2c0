import { app } from '../../lib/app/assets.ts'
import { assetReply } from '../../lib/http/asset.ts'
import { endpoint } from '../../lib/http/endpoint.ts'

export const handler = endpoint('consoleAsset', app, ({ event, parameters }) =>
  assetReply(app.assets.get(parameters['name'] ?? ''), event),
)
