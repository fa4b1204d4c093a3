// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// One user's balances: the seven accounts, net payouts pending, open stakes. `paid` is what the books have booked
/// as paid by this vault to the wallet.
struct Leaf {
    bytes16 userId;
    address wallet;
    bytes16 nonce;
    uint64 paid;
    uint64[9] balances;
}

/// A step from the leaf to the root: the other child, and whether it is the left one.
struct Sibling {
    bytes32 hash;
    uint64 sum;
    bool isLeft;
}

/// @title The Merkle-sum tree of all balances, hashed with SHA-256. src/protocol/vault.ts encodes the same bytes.
library VaultTree {
    /// @notice Computes the root and the total from a leaf.
    /// @dev Each node commits to the hash and the sum of each child, so all leaves together never exceed the total. The
    /// sum stays wider than its 64 bits in a node. If it does not fit, the result cannot equal a published total.
    function root(Leaf calldata leaf, Sibling[] calldata path, uint64 epoch) internal view returns (bytes32, uint256) {
        (bytes32 hash, uint256 sum) = (_hashOf(leaf, epoch), sumOf(leaf));
        for (uint256 i = 0; i < path.length && sum <= type(uint64).max; i++) {
            Sibling calldata other = path[i];
            hash = other.isLeft
                ? sha256(abi.encodePacked(uint8(1), other.hash, other.sum, hash, uint64(sum)))
                : sha256(abi.encodePacked(uint8(1), hash, uint64(sum), other.hash, other.sum));
            sum += other.sum;
        }
        return (hash, sum);
    }

    function sumOf(Leaf calldata leaf) internal pure returns (uint256 sum) {
        for (uint256 i = 0; i < leaf.balances.length; i++) sum += leaf.balances[i];
    }

    /// Chain id, vault and epoch are added here, so a leaf of another vault or another tree does not match.
    function _hashOf(Leaf calldata leaf, uint64 epoch) private view returns (bytes32) {
        bytes memory head = abi.encodePacked(uint8(0), uint64(block.chainid), address(this), epoch);
        bytes memory user = abi.encodePacked(leaf.userId, leaf.wallet, leaf.nonce, leaf.paid);
        uint64[9] calldata b = leaf.balances;
        bytes memory sums = abi.encodePacked(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]);
        return sha256(bytes.concat(head, user, sums));
    }
}
