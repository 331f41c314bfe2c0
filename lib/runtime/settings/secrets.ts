import { decimal, optional, type Rule, text, withDefault } from '../config.ts'

/** Where the secrets are that are not in the environment. */
export const secretSettings = {
  /** Where deployed stages have their [secrets](rotation.md) in Secrets Manager */
  SECRETS_PREFIX: optional(text),
  /** How old a secret may be when it is used */
  SECRET_MAX_AGE_SECONDS: withDefault(decimal(0, 3600), 300),
}

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
