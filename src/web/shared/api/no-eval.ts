import { z } from 'zod'

// The content security policy forbids eval. Without this setting zod tries it once, and the browser logs a violation.
// Import this module before any other that creates a schema.
z.config({ jitless: true })
