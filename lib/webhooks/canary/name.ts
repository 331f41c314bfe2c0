/** The source of the webhooks that the service sends to itself. Nothing that people are woken by counts them. */
export const CANARY = 'canary'
