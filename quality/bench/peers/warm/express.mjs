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
app.get(
  '/api/admin/secure',
  (request, response, next) => {
    try {
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
      response.locals['claims'] = jsonwebtoken.verify(token, key, { algorithms: ['HS512'] })
      next()
    } catch {
      response.status(401).json(refusal(401, 'Invalid token'))
    }
  },
  (_, response, next) => {
    if (response.locals['claims'].role === 'ROLE_ADMIN') next()
    else response.status(403).json(refusal(403, 'Access denied'))
  },
  (_, response) => {
    response.json(greeting(response.locals['claims']))
  },
)

export const handler = serverlessExpress({ app })
