import { app } from '../lib/app/public.ts'
import { fallback } from '../lib/http/endpoint.ts'

export const handler = fallback(app)
