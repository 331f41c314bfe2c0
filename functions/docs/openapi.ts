import { makeFiles } from '../../lib/app/files.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { serveFile } from '../../lib/http/served-file.ts'

const app = makeFiles()

export const handler = endpoint('openapi', app, ({ event }) => serveFile(event, app.fileOf('openapi.json')))
