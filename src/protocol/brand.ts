/** The product's name and the texts that belong to the brand, not to a feature. */
export const brand = {
  name: 'Wellplay',
  tagline: 'Play. Move. Feel Better.',
  badge: 'New Season',
  footer: 'Wellness through play.',
  description: 'A wellness game with USDT plans whose balances and draws you can check yourself, in your own browser.',
  /** The statistics are goals. The page shows beside them what has been reached. */
  statisticsCaption: 'Season goals',
  statistics: [
    { figure: '50K+', label: 'players' },
    { figure: '1M+', label: 'workouts' },
    { figure: '500+', label: 'challenges' },
  ],
} as const
