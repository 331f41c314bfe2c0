import { claimsIn } from '../shared/jose.mjs'
import { middyFunction } from '../shared/middy.mjs'

export const handler = middyFunction(claimsIn)
