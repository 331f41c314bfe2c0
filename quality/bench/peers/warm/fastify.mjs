import { fastifyFunction } from '../shared/fastify.mjs'

export const handler = fastifyFunction({ algorithms: ['HS512'] })
