import { createVerifier } from 'fast-jwt'
import { KEY } from '../../key.ts'
import { middyFunction } from '../shared/middy.mjs'

export const handler = middyFunction(createVerifier({ key: KEY, algorithms: ['HS512'], cache: true }))
