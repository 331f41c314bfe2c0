import { makePublic } from '../lib/app/edge.ts'
import { fallback } from '../lib/http/endpoint.ts'

export const start = () => fallback(makePublic())
