/** A mistake of the surroundings, told to the user as one clear sentence without a stack. */
export class StartError extends Error {}
