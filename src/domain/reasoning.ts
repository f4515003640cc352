import * as z from 'zod'

/** How long a model thinks before it answers; what is left out is as the model does by itself. */
export type Reasoning = z.infer<typeof Reasoning>
export const Reasoning = z.enum(['none', 'low', 'medium', 'high'])
