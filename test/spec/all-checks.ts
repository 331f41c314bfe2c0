import { accessChecks, adverseAccessChecks } from './access-checks.ts'
import { endpointChecks } from './endpoint-checks.ts'
import { errorChecks } from './error-checks.ts'
import { errorRuleChecks } from './error-rule-checks.ts'
import { identityChecks } from './identity-checks.ts'
import { inboundEventChecks } from './inbound-event-checks.ts'
import { intakeChecks } from './intake-checks.ts'
import { adverseLimitChecks, limitChecks } from './limit-checks.ts'
import { loginChecks } from './login-checks.ts'
import { methodChecks } from './method-checks.ts'
import { outageChecks } from './outage-checks.ts'
import { profileChecks } from './profile-checks.ts'
import { profileEndpointChecks } from './profile-endpoint-checks.ts'
import { providerAChecks } from './provider-a-checks.ts'
import { providerBChecks } from './provider-b-checks.ts'
import { retryChecks } from './retry-checks.ts'
import { ruleChecks } from './rule-checks.ts'
import { sessionChecks } from './session-checks.ts'
import { transitionChecks } from './transition-checks.ts'
import { userChecks } from './user-checks.ts'
import { adverseWebhookChecks, webhookChecks } from './webhook-checks.ts'

/** In the order of the specification. */
export const CHECKS = {
  ...profileChecks,
  ...retryChecks,
  ...transitionChecks,
  ...accessChecks,
  ...sessionChecks,
  ...endpointChecks,
  ...loginChecks,
  ...profileEndpointChecks,
  ...userChecks,
  ...methodChecks,
  ...ruleChecks,
  ...webhookChecks,
  ...intakeChecks,
  ...inboundEventChecks,
  ...providerAChecks,
  ...providerBChecks,
  ...identityChecks,
  ...errorChecks,
  ...errorRuleChecks,
  ...limitChecks,
}

/** The store is lost in the last of them. */
export const ADVERSE_CHECKS = {
  ...adverseAccessChecks,
  ...adverseWebhookChecks,
  ...adverseLimitChecks,
  ...outageChecks,
}
