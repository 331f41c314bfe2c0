import { createVerifier } from 'fast-jwt'
import { KEY } from '../../key.ts'
import { middyFunction } from '../shared/middy.mjs'

/** fast-jwt as its README shows it, without its cache. */
export const handler = middyFunction(createVerifier({ key: KEY, algorithms: ['HS512'] }))
