// The gateway would have a TypeScript module translated; Node itself runs it as it is.
export { senders, testEvents } from './handlers.ts'
