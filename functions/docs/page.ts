import { app } from '../../lib/app/public.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { docsPage } from '../../lib/http/pages/docs.ts'

export const handler = endpoint('docs', app, docsPage)
