// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The vault's four keys and its limits, which change only after 48 hours.
abstract contract VaultChanges {
    /// The first four replace a key.
    enum Change { Payer, Publisher, Guardian, Owner, Limits, Surplus }

    /// `to` is the new key, or the receiver of the surplus. `micro` is the surplus, or the limit of 24 hours.
    struct Proposal {
        uint64 proposedAt;
        address to;
        uint64 micro;
        uint64 singleMax;
    }

    mapping(Change => address) public keys;
    mapping(Change => Proposal) public proposals;
    uint64 public dailyMax;
    uint64 public singleMax;

    event Proposed(Change indexed change, address to, uint64 micro, uint64 singleMax);
    event Accepted(Change indexed change, address to, uint64 micro, uint64 singleMax);
    event Cancelled(Change indexed change);

    error NotAllowed();
    error BadAddress();
    error TooEarly();
    error TooLate();

    modifier only(Change key) {
        require(msg.sender == keys[key], NotAllowed());
        _;
    }

    /// @notice A lower limit applies at once. A new proposal replaces an earlier one, and its 48 hours start again.
    function propose(Change change, address to, uint64 micro, uint64 single) external only(Change.Owner) {
        proposals[change] = Proposal(uint64(block.timestamp), to, micro, single);
        if (change == Change.Limits && micro < dailyMax) dailyMax = micro;
        if (change == Change.Limits && single < singleMax) singleMax = single;
        emit Proposed(change, to, micro, single);
    }

    /// @notice The guardian cannot cancel its own replacement. Otherwise a hostile guardian could stay forever.
    function cancel(Change change) external {
        bool isGuardian = msg.sender == keys[Change.Guardian] && change != Change.Guardian;
        require(isGuardian || msg.sender == keys[Change.Owner], NotAllowed());
        delete proposals[change];
        emit Cancelled(change);
    }

    /// @notice Accepts a proposal of 48 hours to 9 days ago. A new owner accepts itself, to prove its key.
    function accept(Change change) external {
        Proposal memory proposal = proposals[change];
        require(msg.sender == (change == Change.Owner ? proposal.to : keys[Change.Owner]), NotAllowed());
        require(block.timestamp - proposal.proposedAt >= 48 hours, TooEarly());
        // Without a proposal it is always too late.
        require(block.timestamp - proposal.proposedAt <= 9 days, TooLate());
        delete proposals[change];
        if (change == Change.Limits) (dailyMax, singleMax) = (proposal.micro, proposal.singleMax);
        else if (change == Change.Surplus) _takeSurplus(proposal.to, proposal.micro);
        else _setKey(change, proposal.to);
        emit Accepted(change, proposal.to, proposal.micro, proposal.singleMax);
    }

    /// Four different keys: each limits the others, so one key in two places could do what should take two.
    function _setKey(Change key, address next) internal {
        require(next != address(0), BadAddress());
        for (uint8 i = 0; i <= uint8(Change.Owner); i++) require(keys[Change(i)] != next, BadAddress());
        keys[key] = next;
    }

    function _takeSurplus(address to, uint64 micro) internal virtual;
}
