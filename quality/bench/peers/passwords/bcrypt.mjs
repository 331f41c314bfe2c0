import { hash, verify } from '@node-rs/bcrypt'

/** What Spring Security's default encoder has unless told otherwise. */
const COST = 10

export async function checkOf(password) {
  const stored = await hash(password, COST)
  return (given) => verify(given, stored)
}
