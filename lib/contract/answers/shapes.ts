import * as z from 'zod'

/** `YYYY-MM-DDTHH:mm:ss.SSSZ` */
export const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ id: 'Instant', format: 'date-time', description: 'A point in time, in UTC and milliseconds.' })

/** `YYYY-MM-DDTHH:mm:ss.SSS`, implicitly UTC. */
export const localDateTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
  .meta({ id: 'LocalDateTime', description: 'A point in time in UTC, without a zone.' })

export const natural = z.int().min(0)

/** The length of a page, and where the next one begins: `null` on the last one. */
export const nextCursor = z.string().nullable()

/** The content of an answer by media type; empty for an answer without a body. */
export type Content = Readonly<Partial<Record<MediaType, z.ZodType>>>

export type MediaType =
  | '*/*'
  | 'application/json'
  | 'image/svg+xml'
  | 'text/css'
  | 'text/html'
  | 'text/javascript'
  | 'text/plain'

export const jsonContent = <T extends z.ZodType>(schema: T) => ({ 'application/json': schema })

export const textContent = <T extends z.ZodType>(schema: T) => ({ 'text/plain': schema })

export const htmlContent = { 'text/html': z.string().regex(/^<!doctype html>/) }

export const bytes = z.string().min(1)
