import { z } from 'zod'

// The content security policy forbids compiling text: without this the schemas try it once, and the browser complains.
// Imported before anything that makes a schema.
z.config({ jitless: true })
