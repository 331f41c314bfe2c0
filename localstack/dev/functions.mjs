// The gateway would transpile a TypeScript module; Node runs it directly.
export { handlers } from './functions.ts'
