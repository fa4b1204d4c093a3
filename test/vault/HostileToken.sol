// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// An ERC-20 that misbehaves on request. Anybody can mint and choose the behaviour.
contract HostileToken {
    enum Manner { Plain, ReturnsFalse, ReturnsNothing, FeeFromReceiver, FeeFromSender, CallsBack }

    uint8 public immutable decimals;
    Manner public manner;
    address private target;
    bytes private data;
    bool public wasCallRefused;
    mapping(address => uint256) public balanceOf;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function setManner(Manner manner_) external {
        manner = manner_;
    }

    /// The call to make during the next transfers, in the name of this token.
    function setCall(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (manner == Manner.ReturnsFalse) return false;
        // Before the balances change, when the vault has already counted the payment.
        if (manner == Manner.CallsBack) {
            (bool isDone,) = target.call(data);
            wasCallRefused = !isDone;
        }
        uint256 fee = value / 100;
        balanceOf[msg.sender] -= manner == Manner.FeeFromSender ? value + fee : value;
        balanceOf[to] += manner == Manner.FeeFromReceiver ? value - fee : value;
        if (manner == Manner.ReturnsNothing) {
            assembly {
                return(0, 0)
            }
        }
        return true;
    }
}
