import type { Rule } from '../config.ts'
import { decimal, optional, text, withDefault } from './values.ts'

const maximumAge = withDefault(decimal(0, 3600), 300)

/** The prefix of the secrets' names, if they are not in the environment; and how old they may be when used. */
export const secretSettings = { SECRETS_PREFIX: optional(text), SECRET_MAX_AGE_SECONDS: maximumAge }

interface Place {
  readonly STAGE: string
  readonly SECRETS_PREFIX?: string | undefined
}

/** A person who may view a function sees its environment. */
export const noSecretInEnvironment: Rule<Place> = {
  settings: ['STAGE', 'SECRETS_PREFIX'],
  broken: ({ STAGE, SECRETS_PREFIX }) =>
    STAGE !== 'local' && SECRETS_PREFIX === undefined ? 'SECRETS_PREFIX: must be set on a deployed stage' : undefined,
}
