export declare const clusterPackages: string[]
export declare function listMissingPackages(names?: string[]): string[]
export declare function postgresBin(): string
