import { namedSecrets, type Secret } from './named-secrets.ts'
import { withDefault } from './values.ts'

/** What destinations are signed with, by their names, and what `secret('…')` names. */
export const deliverySecretSettings = {
  DELIVERY_SECRETS: withDefault(namedSecrets('destination name'), new Map<string, readonly Secret[]>()),
}
