import { secretsReadable } from '../webhooks/readable-secrets.ts'
import { intakeApp } from './intake.ts'

/** For webhooks of any provider. */
export const app = await intakeApp([secretsReadable])
