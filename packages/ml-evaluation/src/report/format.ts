/** Three digits after the point, as scikit-learn prints scores; a dash where there is none. */
export const toScore = (score: number | null): string => (score === null ? '–' : score.toFixed(3));
