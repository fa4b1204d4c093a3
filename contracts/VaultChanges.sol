// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The vault's four keys, and changes that take 48 hours.
/// @notice The owner proposes a change and accepts it between 48 hours and 9 days later. The owner or the guardian can
/// cancel it.
abstract contract VaultChanges {
    enum Change { Payer, Publisher, Guardian, Owner, Limits, Surplus }

    struct Proposal {
        uint64 proposedAt;
        uint256 value;
    }

    uint256 public constant CHANGE_DELAY = 48 hours;
    uint256 public constant CHANGE_AGE_MAX = 9 days;

    address public owner;
    address public guardian;
    address public publisher;
    address public payer;
    mapping(Change => Proposal) public proposals;

    event Proposed(Change indexed change, uint256 value);
    event Accepted(Change indexed change, uint256 value);
    event Cancelled(Change indexed change);

    error NotAllowed();
    error NoProposal();
    error TooEarly();
    error TooLate();

    modifier only(address who) {
        require(msg.sender == who, NotAllowed());
        _;
    }

    constructor(address owner_, address guardian_, address publisher_, address payer_) {
        (owner, guardian, publisher, payer) = (owner_, guardian_, publisher_, payer_);
    }

    function proposePayer(address next) external { _propose(Change.Payer, uint160(next)); }
    function acceptPayer() external only(owner) { payer = _acceptRole(Change.Payer); }
    function cancelPayer() external { _cancel(Change.Payer); }

    function proposePublisher(address next) external { _propose(Change.Publisher, uint160(next)); }
    function acceptPublisher() external only(owner) { publisher = _acceptRole(Change.Publisher); }
    function cancelPublisher() external { _cancel(Change.Publisher); }

    function proposeGuardian(address next) external { _propose(Change.Guardian, uint160(next)); }
    function acceptGuardian() external only(owner) { guardian = _acceptRole(Change.Guardian); }
    function cancelGuardian() external { _cancel(Change.Guardian); }

    function proposeOwner(address next) external { _propose(Change.Owner, uint160(next)); }
    function cancelOwner() external { _cancel(Change.Owner); }

    /// @notice The new owner accepts, which proves that its key works.
    function acceptOwner() external only(address(uint160(proposals[Change.Owner].value))) {
        owner = _acceptRole(Change.Owner);
    }

    function cancelLimits() external { _cancel(Change.Limits); }
    function cancelSurplus() external { _cancel(Change.Surplus); }

    /// A new proposal replaces an earlier one, and its 48 hours start again.
    function _propose(Change change, uint256 value) internal only(owner) {
        proposals[change] = Proposal(uint64(block.timestamp), value);
        emit Proposed(change, value);
    }

    function _accept(Change change) internal returns (uint256 value) {
        Proposal memory proposal = proposals[change];
        require(proposal.proposedAt != 0, NoProposal());
        require(block.timestamp - proposal.proposedAt >= CHANGE_DELAY, TooEarly());
        require(block.timestamp - proposal.proposedAt <= CHANGE_AGE_MAX, TooLate());
        delete proposals[change];
        emit Accepted(change, proposal.value);
        return proposal.value;
    }

    function _acceptRole(Change change) private returns (address) {
        return address(uint160(_accept(change)));
    }

    /// The guardian cannot cancel its own replacement. Otherwise a hostile guardian could stay forever.
    function _cancel(Change change) private {
        require(msg.sender == owner || (msg.sender == guardian && change != Change.Guardian), NotAllowed());
        require(proposals[change].proposedAt != 0, NoProposal());
        delete proposals[change];
        emit Cancelled(change);
    }
}
