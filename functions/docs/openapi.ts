import { app } from '../../lib/app/served-files.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { serveFile } from '../../lib/http/served-file.ts'

export const handler = endpoint('openapi', app, ({ event }) => serveFile(event, app.fileOf('openapi.json')))
