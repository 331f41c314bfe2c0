import fastifyLambda from '@fastify/aws-lambda'
import helmet from '@fastify/helmet'
import jwt from '@fastify/jwt'
import fastify from 'fastify'
import { KEY } from '../../key.ts'
import { greeting, refusal } from './settings.mjs'

/** Fastify with its own plugin for tokens. @param verify the options of the plugin's verifier, which is fast-jwt */
export function fastifyFunction(verify) {
  const app = fastify()
  app.register(helmet)
  app.register(jwt, { secret: KEY, verify, sign: { algorithm: 'HS512' } })
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
  return fastifyLambda(app)
}
