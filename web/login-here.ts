import { loginAddress } from '../lib/contract/login-address.ts'

/** The login page that leads back to this page, as its address is now. */
export function loginHere(): string {
  return loginAddress(`${location.pathname}${location.search}`)
}
