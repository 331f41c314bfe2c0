import { app } from '../../lib/app/served-files.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { serveFile } from '../../lib/http/served-file.ts'

export const handler = endpoint('docsAsset', app, ({ event, parameters }) =>
  serveFile(event, app.fileOf(parameters['asset'])),
)
