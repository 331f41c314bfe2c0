import { makePublic } from '../lib/app/edge.ts'
import { fallback } from '../lib/http/endpoint.ts'

const app = makePublic()

export const handler = fallback(app)
