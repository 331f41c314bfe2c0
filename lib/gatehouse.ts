/** What a team's configuration and handlers import: `import { defineConfig, handler } from 'gatehouse'`. */
export * from './config.ts'
export * from './deliver/handler.ts'
