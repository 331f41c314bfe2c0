import { jwt } from 'hono/jwt'
import { KEY } from '../../key.ts'
import { honoFunction } from '../shared/hono.mjs'

export const handler = honoFunction(jwt({ secret: KEY.toString('latin1'), alg: 'HS512' }))
