import fastifyLambda from '@fastify/aws-lambda'
import helmet from '@fastify/helmet'
import jwt from '@fastify/jwt'
import fastify from 'fastify'
import { KEY } from '../key.ts'
import { greeting, refusal } from './settings.mjs'

const app = fastify()
app.register(helmet)
app.register(jwt, { secret: KEY, verify: { algorithms: ['HS512'] }, sign: { algorithm: 'HS512' } })
app.get('/api/admin/secure', {
  onRequest: async (request, reply) => {
    try {
      await request.jwtVerify()
    } catch {
      return reply.code(401).send(refusal(401, 'Invalid token'))
    }
    if (request.user.role !== 'ROLE_ADMIN') return reply.code(403).send(refusal(403, 'Access denied'))
    return undefined
  },
  handler: async (request) => greeting(request.user),
})

export const handler = fastifyLambda(app)
