import { loadConfig } from '../platform/config.ts'
import { webhookSettings } from '../platform/settings/webhooks.ts'
import { secretsReadable } from '../webhooks/readable-secrets.ts'
import { app as webhooks } from './webhooks.ts'

loadConfig({ WEBHOOK_SECRETS: webhookSettings.WEBHOOK_SECRETS }, [secretsReadable])

/** For webhooks of any provider. */
export const app = webhooks
