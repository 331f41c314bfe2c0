import { basicCheckOf } from './basic.ts'
import { logins } from './passwords.ts'

/** HTTP Basic against the profile's stores. */
export const basicCheck = basicCheckOf(logins.accounts)
