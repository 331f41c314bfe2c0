// The gateway would transpile a TypeScript module; Node runs it directly.
export { senders, testEvents } from './handlers.ts'
