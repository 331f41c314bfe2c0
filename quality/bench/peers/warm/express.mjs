import { createSecretKey } from 'node:crypto'
import serverlessExpress from '@codegenie/serverless-express'
import express from 'express'
import helmet from 'helmet'
import jsonwebtoken from 'jsonwebtoken'
import { KEY } from '../../key.ts'
import { greeting, refusal } from '../shared/settings.mjs'

const key = createSecretKey(KEY)
const app = express()
app.use(helmet())
app.use('/api/admin', (request, response, next) => {
  try {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    request.claims = jsonwebtoken.verify(token, key, { algorithms: ['HS512'] })
  } catch {
    return response.status(401).json(refusal(401, 'Invalid token'))
  }
  return request.claims.role === 'ROLE_ADMIN' ? next() : response.status(403).json(refusal(403, 'Access denied'))
})
app.get('/api/admin/secure', ({ claims }, response) => void response.json(greeting(claims)))

export const handler = serverlessExpress({ app })
