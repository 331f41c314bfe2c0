import { readDescription } from '../../lib/app/built-files.ts'
import { makePublic } from '../../lib/app/edge.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { serveFile } from '../../lib/http/served-file.ts'

const app = makePublic()
const description = readDescription()

export const handler = endpoint('openapi', app, ({ event }) => serveFile(event, description))
