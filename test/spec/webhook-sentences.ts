import { type Sentence, type Untestable, untestable, within } from './sentence.ts'

const webhooks = (text: string) => within(['default'], text)

/**
 * Parts 3.1, 4.2, 6 and 8. What webhooks do depends on no profile, so one is enough; that their endpoints exist
 * everywhere is seen with 1.3.
 */
export const WEBHOOK_SENTENCES = {
  '3.1/states': webhooks('States: RECEIVED, PROCESSING, PROCESSED, FAILED, RETRY.'),
  '3.1/duplicate': webhooks(
    '(none) | payment webhook received | eventId already stored | (no record created) | the call is ignored and returns success',
  ),
  '3.1/processed': webhooks(
    '(new event) | payment webhook processed | handling of COMPLETED, FAILED, REFUNDED, or no action for other statuses, ends without error | PROCESSED | processedAt set; record saved',
  ),
  '3.1/failed': webhooks(
    '(new event) | payment webhook processed | handling throws | FAILED | errorMessage set; record saved; the error is raised to the caller',
  ),
  '3.1/retry-processed': webhooks(
    'FAILED | scheduled retry | event received more than 5 minutes ago, attempt count below the maximum, and the delay for this attempt has passed | PROCESSED | processedAt set; record saved',
  ),
  '3.1/retry-failed': webhooks(
    'FAILED | scheduled retry | reprocessing throws | FAILED | errorMessage set; record saved',
  ),
  '3.1/retry-exhausted': webhooks(
    'FAILED | scheduled retry | attempt count is at or above the maximum | FAILED | record saved, no reprocessing',
  ),
  '3.1/retry-early': webhooks(
    'FAILED | scheduled retry | delay for this attempt has not passed | FAILED | nothing happens',
  ),
  '3.1/initial-status': webhooks(
    'Initial status at first save, and any move involving RECEIVED, PROCESSING or RETRY: not shown.',
  ),
  '3.1/attempt-count': webhooks('How the attempt count of an event is obtained: not shown.'),

  '4.2/payment': webhooks(
    'POST | /webhooks/payment | JSON payment payload (2.4); all request headers are passed to the service | 200 webhook response with success true; 500 webhook response with success false and message starting `Processing failed: ` followed by the error text',
  ),
  '4.2/order-status': webhooks(
    'POST | /webhooks/order-status | JSON order-status payload, validated; optional header `X-Signature` (string) | 200 webhook response with success true; 401 webhook response with success false and message `Invalid signature` when the signature does not verify',
  ),
  '4.2/provider-a': webhooks(
    'POST | /webhooks/{provider_a} | raw text body; required signature header named by provider A; format in part 5 | 200 plain-text acknowledgement; 400 plain-text invalid-signature message when verification fails',
  ),
  '4.2/provider-b': webhooks(
    'POST | /webhooks/{provider_b} | raw text body; required event-name header and signature header named by provider B | 200 plain-text acknowledgement; 401 plain-text invalid-signature message when verification fails',
  ),
  '4.2/rule-1': webhooks(
    'When an event with the same eventId is already stored, nothing is processed and the response is success.',
  ),
  '4.2/rule-2': webhooks(
    'A new event is stored with event type PAYMENT and then handled by status: COMPLETED marks the payment transaction (by transactionId) completed with the amount; FAILED and REFUNDED run their own handling; any other status is logged and needs no action.',
  ),
  '4.2/rule-3': webhooks(
    'Processing is transactional; the stored record is saved whether processing succeeds or fails.',
  ),
  '4.2/rule-4': webhooks(
    'For provider A events, event types `payment_intent.succeeded` and `payment_intent.payment_failed` run success and failure handling; other types are logged and acknowledged.',
  ),
  '4.2/rule-5': webhooks(
    'For provider B events, event names `push` and `pull_request` run their handlers; other names are logged and acknowledged.',
  ),

  '6/inbound': webhooks('Inbound events are webhook notifications (section 4.2).'),
  '6/outbound': untestable(
    'No event is emitted to other parties in the parts that are shown; the list of outbound events is otherwise: not shown.',
    'That nothing is sent to anybody else cannot be seen by waiting.',
  ),
  '6/payment-completed': webhooks(
    'payment status COMPLETED | POST /webhooks/payment | payment transaction marked completed with the amount',
  ),
  '6/payment-failed': webhooks('payment status FAILED | POST /webhooks/payment | failure handling runs'),
  '6/payment-refunded': webhooks('payment status REFUNDED | POST /webhooks/payment | refund handling runs'),
  '6/payment-other': webhooks('other payment status | POST /webhooks/payment | logged, no action'),
  '6/order': webhooks('order status update | POST /webhooks/order-status | order status updated after signature check'),
  '6/provider-a': webhooks(
    'payment_intent.succeeded, payment_intent.payment_failed | provider A endpoint | success or failure handling',
  ),
  '6/provider-b': webhooks('push, pull_request | provider B endpoint | respective handler'),
  '6/record': webhooks('Every accepted payment event is stored as a webhook event record (2.4) and audit-logged.'),
  '6/order-types': webhooks('Event types accepted on /webhooks/order-status: not shown.'),

  '8/jwt-lifetime': webhooks('JWT lifetime | 24 hours, configurable | tokens from /api/auth/login'),
  '8/tolerance': webhooks('Timestamp tolerance for provider A signatures | 300 seconds | provider A webhooks'),
  '8/amount': webhooks('Payment amount | minimum 0.01 | payment payload'),
  '8/max-attempts': webhooks(
    'Retry maximum attempts | 3 by default (`webhook.retry.maxAttempts`) | failed webhook events',
  ),
  '8/delays': webhooks(
    'Retry delays in minutes | 5, 15, 60 by default (`webhook.retry.delayMinutes`); attempt index beyond the list uses the last value; next retry time is receivedAt plus the delay | failed webhook events',
  ),
  '8/scan-interval': webhooks(
    'Retry scan interval | every 300000 ms | failed webhook events received more than 5 minutes ago',
  ),
  '8/rate-limit': webhooks(
    'Rate limit setting | `webhook.security.rateLimitPerMinute`, 100 in the sample configuration; `webhook.security.enabled` true | webhook intake',
  ),
  '8/rate-limit-answer': webhooks('Response given when the rate limit is exceeded: not shown.'),
  '8/request-size': webhooks(
    'Maximum request size and rate limits of the security demonstration endpoints: not shown.',
  ),
} as const satisfies Record<string, Sentence | Untestable>
