/** A problem with the environment, shown to the user as one clear sentence without a stack trace. */
export class StartError extends Error {}
