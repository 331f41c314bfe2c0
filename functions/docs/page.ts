import { makePublic } from '../../lib/app/edge.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { docsPage } from '../../lib/http/pages/docs.ts'

const app = makePublic()

export const handler = endpoint('docs', app, docsPage)
