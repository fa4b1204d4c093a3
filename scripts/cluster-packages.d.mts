export declare function listMissingPackages(): string[]
export declare function postgresBin(): string
