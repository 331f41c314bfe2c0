import { accessChecks, adverseAccessChecks } from './access-checks.ts'
import { endpointChecks } from './endpoint-checks.ts'
import { errorChecks } from './error-checks.ts'
import { errorRuleChecks } from './error-rule-checks.ts'
import { identityChecks } from './identity-checks.ts'
import { loginChecks } from './login-checks.ts'
import { methodChecks } from './method-checks.ts'
import { outageChecks } from './outage-checks.ts'
import { profileChecks } from './profile-checks.ts'
import { profileEndpointChecks } from './profile-endpoint-checks.ts'
import { providerAChecks } from './provider-a-checks.ts'
import { ruleChecks } from './rule-checks.ts'
import { sessionChecks } from './session-checks.ts'
import { userChecks } from './user-checks.ts'
import { adverseWebhookChecks, webhookChecks } from './webhook-checks.ts'

/** In the order of the specification. */
export const CHECKS = {
  ...profileChecks,
  ...accessChecks,
  ...sessionChecks,
  ...endpointChecks,
  ...loginChecks,
  ...profileEndpointChecks,
  ...userChecks,
  ...methodChecks,
  ...ruleChecks,
  ...webhookChecks,
  ...providerAChecks,
  ...identityChecks,
  ...errorChecks,
  ...errorRuleChecks,
}

/** The store is lost in the last of them. */
export const ADVERSE_CHECKS = { ...adverseAccessChecks, ...adverseWebhookChecks, ...outageChecks }
