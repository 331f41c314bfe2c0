import { derivedKey } from '../auth/derived-key.ts'
import { type Current, madeOf } from '../platform/current.ts'
import { tokenKeys } from './token-keys.ts'

/** A ring for something else, made of the one that signs tokens. */
export function keysFor(purpose: string): Current<readonly Buffer[]> {
  return madeOf(tokenKeys, (keys) => keys.map(({ secret }) => derivedKey(secret, purpose)))
}
